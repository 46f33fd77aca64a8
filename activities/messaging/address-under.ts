/** Address of a path below a base address; a path within the base is kept. */
export function addressUnder(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}`;
}
