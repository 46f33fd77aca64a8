const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether a text has the form of an image id or an upload id. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);

/** The key of an image in the image store. Images are spread over 256 folders. The key does not contain the id of the transaction. */
export const objectKeyOf = (id: string): string => `${id.slice(0, 2)}/${id}`;
