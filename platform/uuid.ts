const pattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Whether a text is a UUID in lower case, as all ids of the service are. The routes make the UUIDs in paths lower-case, so everything behind
 * them may compare ids as texts.
 */
export const isUuid = (text: string): boolean => pattern.test(text);
