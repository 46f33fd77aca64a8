import { Problem } from '../problem';

const space = /[ \t\n\r]*/y;
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** A string up to where it stops being one, without the quote that ends it. */
const openString = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;

/** Walks a text as far as it is JSON. */
class Reading {
  at = 0;

  constructor(private readonly text: string) {}

  /** Whether the whole text is one value; `at` is where it stops being one. Nests as deep as the text does. */
  isWhole(): boolean {
    return this.#value() && this.#next() === undefined;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found !== undefined;
  }

  #next(): string | undefined {
    this.#skip(space);
    return this.text[this.at];
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.at += 1;
    return true;
  }

  #string(): boolean {
    if (this.#next() !== '"' || !this.#skip(openString) || this.text[this.at] !== '"') return false;
    this.at += 1;
    return true;
  }

  #value(): boolean {
    const first = this.#next();
    if (first === '{') return this.#list('}', () => this.#string() && this.#take(':') && this.#value());
    if (first === '[') return this.#list(']', () => this.#value());
    return first === '"' ? this.#string() : this.#skip(word);
  }

  #list(end: string, item: () => boolean): boolean {
    this.at += 1;
    if (this.#take(end)) return true;
    do if (!item()) return false;
    while (this.#take(','));
    return this.#take(end);
  }
}

/** The problem of a text that is no JSON: by line and column, each from 1, and never by what stands there. */
export function malformedJson(text: string): Problem {
  const reading = new Reading(text);
  if (reading.isWhole()) return new Problem('malformed_json');
  const before = text.slice(0, reading.at).split(/\r\n|\n|\r/);
  const place = `line ${before.length}, column ${Array.from(before.at(-1) ?? '').length + 1}`;
  const told =
    reading.at === text.length ? `The body ends at ${place}, before it is whole.` : `It stops being JSON at ${place}.`;
  return new Problem('malformed_json', { detail: `${told} Send one JSON object in UTF-8.` });
}
