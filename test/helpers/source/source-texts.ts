import {
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTemplateExpression,
} from 'typescript/unstable/ast/is';
import { readSources, walk } from './open-sources.ts';

/** The texts of the files below the folders, in pieces: between two pieces of a template stands what it puts in. */
export function sourceTexts(folders: readonly string[]): string[][] {
  return readSources(folders, (_path, file) => {
    const found: string[][] = [];
    walk(file, (node) => {
      if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) found.push([node.text]);
      else if (isTemplateExpression(node)) {
        found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]);
      }
    });
    return found;
  });
}
