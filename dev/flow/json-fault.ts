/** Why a text is no JSON, and where. */
export interface JsonFault {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
  /** What was expected there, and what stands there. */
  what: string;
}

type State = 'value' | 'item' | 'name' | 'first name' | 'colon' | 'after' | 'end';

/** The beginning of a text: all that may stand in one, which control characters may not. */
const insideText = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*/y;
const token = new RegExp(
  `[{}[\\]:,]|${insideText.source}"|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`,
  'y',
);

const aValue = 'a text in double quotes, a number, true, false, null, { or [';
const expected: Readonly<Record<Exclude<State, 'after'>, string>> = {
  value: aValue,
  item: aValue.replace(' or [', ', [ or ]'),
  name: 'a name in double quotes',
  'first name': 'a name in double quotes, or }',
  colon: ':',
  end: 'nothing more',
};

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

function isExpected(state: State, [first = '']: string, open: string | undefined): boolean {
  if (state === 'colon') return first === ':';
  if (state === 'after') return first === ',' || first === (open === '{' ? '}' : ']');
  if (state === 'name' || state === 'first name') return first === '"' || (state === 'first name' && first === '}');
  return state !== 'end' && (!'}]:,'.includes(first) || (state === 'item' && first === ']'));
}

/** What may follow a token that was expected. `opened` has the brackets that are open, and takes part. */
function follow(state: State, [first = '']: string, opened: string[]): State {
  if (first === '{' || first === '[') {
    opened.push(first);
    return first === '{' ? 'first name' : 'item';
  }
  if (first === ':') return 'value';
  if (first === ',') return opened.at(-1) === '{' ? 'name' : 'value';
  if (state === 'name' || (state === 'first name' && first === '"')) return 'colon';
  if (first === '}' || first === ']') opened.pop();
  return opened.length > 0 ? 'after' : 'end';
}

function show(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return character;
  return `the character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function faultAt(text: string, at: number, wanted: string): JsonFault {
  const lines = text.slice(0, at).split('\n');
  const found = at < text.length ? `there is ${show(text, at)}` : 'the file ends';
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1, what: `expected ${wanted}; ${found}` };
}

/** Finds the first place where a text stops being JSON; undefined when all of it is. */
export function jsonFaultOf(text: string): JsonFault | undefined {
  const opened: string[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    at += matchAt(/[ \t\n\r]*/y, text, at)?.length ?? 0;
    if (at === text.length && state === 'end') return undefined;
    const found = matchAt(token, text, at);
    if (found === undefined || !isExpected(state, found, opened.at(-1))) {
      const wanted = state === 'after' ? `, or ${opened.at(-1) === '{' ? '}' : ']'}` : expected[state];
      const begun = isExpected(state, '"', opened.at(-1)) ? matchAt(insideText, text, at) : undefined;
      if (found !== undefined || begun === undefined) return faultAt(text, at, wanted);
      const end = at + begun.length;
      return faultAt(
        text,
        end,
        text.charAt(end) === '\\' ? 'an escape such as \\" or \\n' : 'the " that ends the text',
      );
    }
    state = follow(state, found, opened);
    at += found.length;
  }
}
