/** The owner of images. Images of one owner share a key, so that destroying the key erases them all. */
export interface Owner {
  tenant: string;
  owner: string;
}

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether a text has the form of the id of an image or an upload. */
export const isId = (text: string): boolean => uuidPattern.test(text);

/** The key of an image in the store: spread over 256 folders, and without its owner. */
export const keyOf = (id: string): string => `${id.slice(0, 2)}/${id}`;
