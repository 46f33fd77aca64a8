/** Whose images they are. Images of one owner share a key, so that destroying it destroys them all. */
export interface Owner {
  tenant: string;
  owner: string;
}

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether a text can be the id of an image or an upload. Anything else is unknown without asking the database. */
export const isId = (text: string): boolean => uuidPattern.test(text);

/** Where the object of an image lies. Spread over 256 folders, and without a word of whose it is. */
export const keyOf = (id: string): string => `${id.slice(0, 2)}/${id}`;
