import type { ComponentChildren } from 'preact';
import type { Awaited, FlowRun } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { formatDuration, Instant } from '../times';
import { StatusTag } from './tags';

/** What a flow run waits for, and until when. Does not show the URL of a biometrics link, because the URL is only for the person. */
function AwaitedText({ awaited }: { awaited: Awaited }) {
  const { run } = useFlowsTexts();
  const { kind } = awaited;
  const text =
    kind === 'token' || kind === 'reply' ? run.awaited[kind](run.channels[awaited.channel]) : run.awaited[kind];
  return (
    <>
      {text}, {run.until} <Instant iso={'until' in awaited ? awaited.until : awaited.expiresAt} />
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** The status, the id and the times of a flow run. */
export function RunFacts({ run }: { run: FlowRun }) {
  const { run: texts } = useFlowsTexts();
  return (
    <dl class="facts">
      <Fact name={texts.state}>
        <StatusTag {...run} />
      </Fact>
      <Fact name={texts.run}>
        <span class="mono whole">
          <bdi>{run.runId}</bdi>
        </span>
      </Fact>
      {run.awaited && (
        <Fact name={texts.waitsFor}>
          <AwaitedText awaited={run.awaited} />
        </Fact>
      )}
      <Fact name={texts.started}>
        <Instant iso={run.startedAt} />
      </Fact>
      {run.endedAt && (
        <>
          <Fact name={texts.ended}>
            <Instant iso={run.endedAt} />
          </Fact>
          <Fact name={texts.duration}>{formatDuration(run.startedAt, run.endedAt)}</Fact>
        </>
      )}
    </dl>
  );
}
