import type { ParseError } from '@marcbachmann/cel-js';
import { quote } from '../../domain/values';
import type { ConditionIssue } from './types';

/** The names of the parser's tokens in words that the author of a condition knows. */
const tokenNames: Readonly<Record<string, string>> = {
  RPAREN: 'a `)`',
  RBRACKET: 'a `]`',
  RBRACE: 'a `}`',
  LPAREN: 'a `(`',
  COLON: 'a `:`',
  COMMA: 'a comma',
  IDENTIFIER: 'a name',
};

const operatorAdvice = 'Use `==`, `<` or `in` to compare, and `&&` or `||` to combine.';

/** Operators of other languages, and quotes of text editors. The value says what to write instead. */
const replacements: Readonly<Record<string, string>> = {
  '=': 'Write `==`, `<=` or `>=` to compare. In `<=` and `>=`, the `=` is at the end.',
  '&': 'Write `&&` instead.',
  '|': 'Write `||` instead.',
  and: 'Write `&&` instead.',
  or: 'Write `||` instead.',
  '‘': "Write straight quotes: `'`.",
  '’': "Write straight quotes: `'`.",
  '“': "Write straight quotes: `'`.",
  '”': "Write straight quotes: `'`.",
};

/** Describes a syntax error of the CEL library in plain words, with its position. */
export function syntaxIssue({ code, summary, range }: ParseError, expression: string): ConditionIssue {
  const positionText = range === undefined ? '' : ` at character ${range.start + 1}`;
  const createIssue = (description: string, fix = operatorAdvice): ConditionIssue => ({
    message: `The condition cannot be read${positionText}: ${description}.`,
    fix,
  });
  const [, expectedToken, actualToken] = /^Expected (\w+), got (\w+)$/.exec(summary) ?? [];
  const tokenName = tokenNames[expectedToken ?? ''];
  if (tokenName !== undefined)
    return actualToken === 'EOF'
      ? createIssue(`${tokenName} is missing`, `Add ${tokenName}.`)
      : createIssue(`${tokenName} is expected here`);
  if (summary === 'Unexpected token: EOF') return createIssue('a value is missing at the end', 'Write the value.');
  if (code === 'unexpected_token') return createIssue('a value is expected here');
  if (code === 'unterminated_string' || code === 'newline_in_string')
    return createIssue('a text has no closing quote', 'Add the quote.');
  const sourceText = expression.slice(range?.start, range?.end);
  if (sourceText === ')' || sourceText === ']')
    return createIssue(`there is no opening sign for the ${quote(sourceText)}`, 'Remove it.');
  if (code === 'unexpected_character')
    return createIssue(
      `${quote(sourceText)} is not expected here`,
      replacements[sourceText.toLowerCase()] ?? operatorAdvice,
    );
  return createIssue(summary);
}
