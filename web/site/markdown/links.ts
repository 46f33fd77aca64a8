import path from 'node:path';
import { guides } from '../guides';

/** The address at which a local stack serves this site. Links to this address in the guides become links of this site. */
const localAddress = 'http://127.0.0.1:3000';

const pagesByFile = new Map(guides.map(({ file, slug }) => [file, `/docs/${slug}`]));

/** The anchor of a decision record, such as `decision-63`. `title`: the title or the file name of the record. Both start with a number. */
export const decisionAnchor = (title: string) => `decision-${Number.parseInt(title, 10)}`;

/**
 * The URL on this site for the target of a link in a Markdown file. Undefined if the target is not on the site, such as source code. A
 * missing file is no error here: the guides link to tests and benchmarks, and the Docker image is built without them.
 */
export function resolveLink(fromFile: string, target: string): string | undefined {
  if (target.startsWith('#')) return target;
  if (target.startsWith(`${localAddress}/`)) return target.slice(localAddress.length);
  if (/^[a-z]+:/.test(target)) return target;
  const [relative = '', anchor] = target.split('#');
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(fromFile), relative)).replace(/\/$/, '');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (file === 'docs/decisions') return '/docs/decisions';
  if (file.startsWith('docs/decisions/')) return `/docs/decisions#${decisionAnchor(path.posix.basename(file))}`;
  const page = pagesByFile.get(file);
  return page && `${page}${hash}`;
}
