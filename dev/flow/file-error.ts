/** A file that cannot be used. The message is the line that a person reads. */
export class FileError extends Error {
  override name = 'FileError';
}
