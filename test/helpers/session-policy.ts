/** A request of a trainer, as IAM sees it. */
export interface IamRequest {
  readonly action: string;
  /** ARN of an object or a table. */
  readonly resource: string;
  /** Partition key of the item, which each request for an item has. */
  readonly partition?: string;
  /** Names of all attributes in it, those of the item's key too, which each update has. */
  readonly attributes?: readonly string[];
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

function matches(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.\\+?^${}()|[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(value);
}

/** What the request has of a condition's key: one leading key, and the attributes. Both are always there, as on AWS. */
function valuesOf(key: string, { partition, attributes }: IamRequest): readonly string[] {
  if (key === 'dynamodb:LeadingKeys' && partition !== undefined) return [partition];
  if (key === 'dynamodb:Attributes' && attributes !== undefined && attributes.length > 0) return attributes;
  throw new Error(`The condition key ${key} is not known here, or the request does not say it.`);
}

function allowsAll(operator: string, allowed: readonly string[], values: readonly string[]): boolean {
  if (operator === 'ForAllValues:StringEquals') return values.every((value) => allowed.includes(value));
  if (operator === 'ForAllValues:StringLike') {
    return values.every((value) => allowed.some((pattern) => matches(pattern, value)));
  }
  throw new Error(`The condition ${operator} is not known here.`);
}

/** Whether a statement speaks of the request. */
function speaksOf({ Action, Resource, Condition = {} }: Statement, request: IamRequest): boolean {
  return (
    [Action].flat().some((action) => matches(action, request.action)) &&
    [Resource].flat().some((resource) => matches(resource, request.resource)) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys).every(([key, allowed]) => allowsAll(operator, allowed, valuesOf(key, request))),
    )
  );
}

/** Whether IAM allows a request by one policy: a session may do what its own policy and that of its role both allow. */
export function isAllowedBy(statements: readonly Statement[], request: IamRequest): boolean {
  const speaking = statements.filter((statement) => speaksOf(statement, request));
  return speaking.length > 0 && speaking.every(({ Effect }) => Effect === 'Allow');
}
