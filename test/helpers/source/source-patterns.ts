import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Expression, Node, SourceFile, TemplateLiteral } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isPropertyAccessExpression,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { readSources, walk } from './open-sources.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A regular expression as the source writes it. */
export interface SourcePattern {
  /** `shared/platform/cursor.ts:12` */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
  /** The longest text that it is given, where a comment says so: `// At most 120 characters.` */
  readonly charactersMax: number | null;
}

const BOUND = /\/\/ At most ([\d,]+) characters\b/;

/**
 * Every regular expression of the files below the folders, as TypeScript parses them: literals, and what `RegExp` is
 * called with, whose constants are put in. What is no constant stands as one letter.
 */
export function sourcePatterns(folders: readonly string[]): SourcePattern[] {
  return readSources(folders, patternsOf);
}

function patternsOf(path: string, file: SourceFile): SourcePattern[] {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  const constants = new Map<string, Expression>();
  const found: { readonly node: Node; readonly source: string; readonly flags: string }[] = [];
  walk(file, (node) => {
    if (isVariableDeclaration(node) && isIdentifier(node.name) && node.initializer !== undefined) {
      constants.set(node.name.text, node.initializer);
    }
  });
  walk(file, (node) => {
    if (isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ node, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if ((isNewExpression(node) || isCallExpression(node)) && nameOf(node.expression) === 'RegExp') {
      const [pattern, flags] = node.arguments ?? [];
      if (pattern === undefined || isRegularExpressionLiteral(pattern)) return;
      found.push({
        node,
        source: textOf(pattern, constants),
        flags: flags === undefined ? '' : textOf(flags, constants).replaceAll(/[^dgimsuvy]/g, ''),
      });
    }
  });
  return found.map(({ node, source, flags }) => {
    const line = file.text.slice(0, file.text.indexOf(node.getText(file), node.pos)).split('\n').length;
    const bound = [lines[line - 1], lines[line - 2]].map((text) => BOUND.exec(text ?? '')?.[1]).find(Boolean);
    return {
      place: `${path}:${line}`,
      source,
      flags,
      charactersMax: bound === undefined ? null : Number(bound.replaceAll(',', '')),
    };
  });
}

const nameOf = (node: Node): string | null => (isIdentifier(node) ? node.text : null);

/** The text of an expression of constants. A method of a text is left out, and what is not known is one letter. */
function textOf(node: Expression, constants: ReadonlyMap<string, Expression>): string {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (isNumericLiteral(node)) return node.text;
  if (isTemplateExpression(node)) return templateText(node, constants, ({ text }) => text);
  // Tagged with String.raw: the text between the signs of a template.
  if (isTaggedTemplateExpression(node)) {
    return templateText(node.template, constants, (part) =>
      part
        .getText()
        .replace(/^[`}]/, '')
        .replace(/(?:`|\$\{)$/, ''),
    );
  }
  if (isBinaryExpression(node)) {
    const [left, right] = [textOf(node.left, constants), textOf(node.right, constants)];
    return Number.isNaN(Number(left + right)) ? left + right : String(Number(left) + Number(right));
  }
  if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
    return textOf(node.expression.expression, constants);
  }
  const constant = isIdentifier(node) ? constants.get(node.text) : undefined;
  return constant === undefined || constant === node ? 'x' : textOf(constant, constants);
}

function templateText(
  node: TemplateLiteral,
  constants: ReadonlyMap<string, Expression>,
  shown: (part: Node & { readonly text: string }) => string,
): string {
  if (isNoSubstitutionTemplateLiteral(node)) return shown(node);
  return node.templateSpans.reduce(
    (text, span) => text + textOf(span.expression, constants) + shown(span.literal),
    shown(node.head),
  );
}
