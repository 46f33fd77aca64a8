import type { ParseError } from '@marcbachmann/cel-js';
import type { ConditionIssue } from './types';

/** The tokens of the parser, as authors know them. */
const tokenNames: Readonly<Record<string, string>> = {
  RPAREN: 'a )',
  RBRACKET: 'a ]',
  RBRACE: 'a }',
  LPAREN: 'a (',
  COLON: 'a :',
  COMMA: 'a comma',
  IDENTIFIER: 'a name',
};

const operatorAdvice = 'Use ==, < or in to compare, and && or || to combine.';

/** Operators of other languages, with what to write here. */
const replacements: Readonly<Record<string, string>> = {
  '=': 'Write == to compare, and <= or >= with the = at the end.',
  '&': 'Write && for and.',
  '|': 'Write || for or.',
  and: 'Write && for and.',
  or: 'Write || for or.',
  '‘': "Write straight quotes: '.",
  '’': "Write straight quotes: '.",
  '“': "Write straight quotes: '.",
  '”': "Write straight quotes: '.",
};

/** A syntax error in plain words, with its position. */
export function syntaxIssue({ code, summary, range }: ParseError, expression: string): ConditionIssue {
  const place = range === undefined ? '' : ` at character ${range.start + 1}`;
  const issue = (what: string, fix = operatorAdvice): ConditionIssue => ({
    message: `It cannot be read${place}: ${what}.`,
    fix,
  });
  const [, expected, found] = /^Expected (\w+), got (\w+)$/.exec(summary) ?? [];
  const tokenName = tokenNames[expected ?? ''];
  if (tokenName !== undefined)
    return found === 'EOF'
      ? issue(`${tokenName} is missing`, `Add ${tokenName}.`)
      : issue(`${tokenName} is expected here`);
  if (summary === 'Unexpected token: EOF') return issue('a value is missing at the end', 'Write the value.');
  if (code === 'unexpected_token') return issue('a value is expected here');
  if (code === 'unterminated_string' || code === 'newline_in_string')
    return issue('a text has no closing quote', 'Add the quote.');
  const written = expression.slice(range?.start, range?.end);
  if (written === ')' || written === ']') return issue(`there is no opening sign for the ${written}`, 'Remove it.');
  if (code === 'unexpected_character')
    return issue(`${written} is not expected here`, replacements[written.toLowerCase()] ?? operatorAdvice);
  return issue(summary);
}
