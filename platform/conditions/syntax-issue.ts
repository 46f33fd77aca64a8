import type { ParseError } from '@marcbachmann/cel-js';
import type { ConditionIssue } from './types';

/** What the parser calls a token, in signs and words; operators are told by their place alone. */
const signs: Readonly<Record<string, string>> = {
  RPAREN: 'a )',
  RBRACKET: 'a ]',
  RBRACE: 'a }',
  LPAREN: 'a (',
  COLON: 'a :',
  COMMA: 'a comma',
  IDENTIFIER: 'a name',
};

const usual = 'Comparisons are ==, < and in, and && and || join them.';

/** Signs of other languages, by what is to be written here. */
const otherwise: Readonly<Record<string, string>> = {
  '=': 'Write == to compare, and <= or >= with = behind.',
  '&': 'Write && for and.',
  '|': 'Write || for or.',
  and: 'Write && for and.',
  or: 'Write || for or.',
  '‘': "Write straight quotes: '.",
  '’': "Write straight quotes: '.",
  '“': "Write straight quotes: '.",
  '”': "Write straight quotes: '.",
};

/** What the parser stumbled over, in plain words and with its place. */
export function syntaxIssue({ code, summary, range }: ParseError, expression: string): ConditionIssue {
  const place = range === undefined ? '' : ` at character ${range.start + 1}`;
  const told = (what: string, fix = usual): ConditionIssue => ({
    message: `It cannot be read${place}: ${what}.`,
    fix,
  });
  const [, expected, found] = /^Expected (\w+), got (\w+)$/.exec(summary) ?? [];
  const sign = signs[expected ?? ''];
  if (sign !== undefined)
    return found === 'EOF' ? told(`${sign} is missing`, `Add ${sign}.`) : told(`${sign} is expected here`);
  if (summary === 'Unexpected token: EOF') return told('it ends where a value is expected', 'Write the value.');
  if (code === 'unexpected_token') return told('a value is expected here');
  if (code === 'unterminated_string' || code === 'newline_in_string')
    return told('a text has no quote at its end', 'Add the quote.');
  const written = expression.slice(range?.start, range?.end);
  if (written === ')' || written === ']') return told(`nothing opens the ${written}`, 'Take it out.');
  if (code === 'unexpected_character')
    return told(`${written} is not expected here`, otherwise[written.toLowerCase()] ?? usual);
  return told(summary);
}
