/** Texts that were changed and not saved, by the name of their flow. They last until the page is closed or reloaded. */
const drafts = new Map<string, Draft>();

export interface Draft {
  text: string;
  /** The digest of the version on which the text is based; undefined for a new flow. */
  base: string | undefined;
}

export const draftOf = (name: string): Draft | undefined => drafts.get(name);

export const keepDraft = (name: string, draft: Draft): unknown => drafts.set(name, draft);

export const forgetDraft = (name: string): unknown => drafts.delete(name);

/** Makes the browser ask before it closes a page with a text that is not saved. */
export function warnBeforeLeaving(): void {
  window.addEventListener('beforeunload', (event) => {
    if (drafts.size > 0) event.preventDefault();
  });
}
