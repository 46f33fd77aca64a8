import { useEffect, useRef, useState } from 'preact/hooks';
import { callApi } from '../../app/call-api';
import { announce } from '../../app/messages';
import { Button } from '../../kit/button';
import { Tag } from '../../kit/content';
import { hashes } from '../addresses';
import type { FlowDetails, FlowVersion } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { Instant } from '../times';
import { DeletedTag } from './tags';

function VersionLink({ flow, row, isChosen }: { flow: FlowDetails; row: FlowVersion; isChosen: boolean }) {
  const texts = useFlowsTexts();
  const { version, title, createdAt, createdBy, deletedAt, deletedBy, running } = row;
  return (
    <a class="version" href={hashes.version(flow.name, version)} aria-current={isChosen ? 'true' : undefined}>
      <span class="strong">{texts.version(version)}</span>
      {version === flow.active && <Tag tone="good">{texts.active}</Tag>}
      {deletedAt && <DeletedTag running={running} />}
      <span class="small">{title ? <bdi>{title}</bdi> : texts.noTitle}</span>
      <span class="soft small">
        <Instant iso={createdAt} /> {texts.createdBy} <bdi>{createdBy}</bdi>
      </span>
      {deletedAt && (
        <span class="soft small">
          {texts.deletedOn} <Instant iso={deletedAt} />
          {deletedBy && (
            <>
              {` ${texts.by} `}
              <bdi>{deletedBy}</bdi>
            </>
          )}
        </span>
      )}
    </a>
  );
}

/** Links to the versions of a flow, newest first. `chosen`: the shown version. */
export function VersionList({ flow, chosen, labelledBy }: { flow: FlowDetails; chosen: number; labelledBy: string }) {
  const texts = useFlowsTexts();
  /**
   * The versions that the button has loaded. The list shows them after the versions of `flow`. `next`: a value of the API for the next
   * request. Undefined if all versions are loaded.
   */
  const [later, setLater] = useState<{ versions: readonly FlowVersion[]; next: string | undefined }>({
    versions: [],
    next: flow.next,
  });
  const list = useRef<HTMLOListElement>(null);
  /** The index of the link that gets the focus: the first of the versions that were just loaded. */
  const focusAt = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (focusAt.current === undefined) return;
    list.current?.querySelectorAll('a')[focusAt.current]?.focus();
    focusAt.current = undefined;
  }, [later]);
  const versions = [...flow.versions, ...later.versions];
  const readMore = async () => {
    try {
      const page = await callApi('get', '/v1/flows/{name}', {
        path: { name: flow.name },
        query: { deleted: true, limit: 25, ...(later.next === undefined ? {} : { after: later.next }) },
      });
      focusAt.current = versions.length;
      setLater({ versions: [...later.versions, ...page.versions], next: page.next });
      announce(texts.moreShown(page.versions.length));
    } catch {
      announce(texts.earlierFailed);
    }
  };
  return (
    <nav aria-labelledby={labelledBy}>
      <ol class="version-list" ref={list}>
        {versions.map((row) => (
          <li>
            <VersionLink flow={flow} row={row} isChosen={row.version === chosen} />
          </li>
        ))}
      </ol>
      {later.next !== undefined && <Button onClick={() => void readMore()}>{texts.earlierVersions}</Button>}
    </nav>
  );
}
