/**
 * A list in pages. `for await` gives the items of all pages, and loads each page when it is needed. `await` gives only the first page.
 */
export class Pages<Page, Item> implements AsyncIterable<Item>, PromiseLike<Page> {
  readonly #load: (after: string | number | undefined) => Promise<Page>;
  readonly #itemsOf: (page: Page) => readonly Item[];
  readonly #nextOf: (page: Page) => string | number | undefined;
  #first: Promise<Page> | undefined;

  /**
   * `load`: loads the page after a position; without a position, the first page. `itemsOf`: the items of a page. `nextOf`: the position
   * after which the next page begins; undefined for the last page.
   */
  constructor(
    load: (after: string | number | undefined) => Promise<Page>,
    itemsOf: (page: Page) => readonly Item[],
    nextOf: (page: Page) => string | number | undefined,
  ) {
    this.#load = load;
    this.#itemsOf = itemsOf;
    this.#nextOf = nextOf;
  }

  /** The pages, as the API returns them. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await this.#loadFirst();
    yield page;
    for (let next = this.#nextOf(page); next !== undefined; next = this.#nextOf(page)) {
      page = await this.#load(next);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }

  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#loadFirst().then(onPage, onError);
  }

  #loadFirst(): Promise<Page> {
    this.#first ??= this.#load(undefined);
    return this.#first;
  }
}
