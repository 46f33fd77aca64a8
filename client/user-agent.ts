/** The version in the package.json of this package. */
export const version = '0.1.0';

const { process } = globalThis as { process?: { versions?: { node?: string } } };

/** The header User-Agent. Operators see in it which version of the package sends requests. Browsers replace it. */
export const userAgent = `countersign-client/${version}${process?.versions?.node ? ` node/${process.versions.node}` : ''}`;
