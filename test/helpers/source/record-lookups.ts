import type { ElementAccessExpression, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isElementAccessExpression,
  isNumericLiteral,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import type { Checker } from 'typescript/unstable/sync';
import { readSources } from './open-sources.ts';

/**
 * Where the files below the folders look something up in an object by a name that may be any text, unless the lines
 * around ask `Object.hasOwn` first: `record[name]` and `name in record`, which every object answers for `constructor`.
 */
export function recordLookups(folders: readonly string[]): string[] {
  return readSources(folders, (path, file, project) =>
    lookupsOf(file, project.checker).map((text) => `${path}: ${text}`),
  );
}

function lookupsOf(file: SourceFile, checker: Checker): string[] {
  const found: string[] = [];
  const isAnyText = (node: Node): boolean => {
    const type = checker.getTypeAtLocation(node);
    return type !== undefined && checker.typeToString(type) === 'string';
  };
  const isAsked = (record: string, name: string): boolean =>
    file.text.includes(`Object.hasOwn(${record}, ${name})`);
  const visit = (node: Node): void => {
    if (isElementAccessExpression(node) && !isConstant(node)) {
      const [record, name] = [node.expression.getText(file), node.argumentExpression.getText(file)];
      // The environment is written by whoever deploys.
      if (record !== 'process.env' && isAnyText(node.argumentExpression) && !isAsked(record, name)) {
        found.push(node.getText(file));
      }
    } else if (isBinaryExpression(node) && node.operatorToken.getText(file) === 'in') {
      if (!isStringLiteral(node.left) && isAnyText(node.left)) found.push(node.getText(file));
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

const isConstant = ({ argumentExpression }: ElementAccessExpression): boolean =>
  isStringLiteral(argumentExpression) || isNumericLiteral(argumentExpression);
