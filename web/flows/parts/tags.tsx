import { Tag } from '../../kit/content';
import { useFlowsTexts } from '../flows-texts';

/** Whether an outcome has the color of success, here and in the diagrams. */
const isGood = (outcome: string) => outcome === 'Confirmed';

/** The outcome of a flow run, or its status if it has no outcome. */
export function StatusTag({ status, outcome }: { status: 'Running' | 'Completed' | 'Canceled'; outcome?: string }) {
  const { run } = useFlowsTexts();
  if (status === 'Running') return <Tag tone="warn">{run.statuses.Running}</Tag>;
  if (status === 'Completed' && outcome)
    return (
      <Tag tone={isGood(outcome) ? 'good' : 'neutral'}>
        <bdi>{outcome}</bdi>
      </Tag>
    );
  return <Tag>{run.statuses[status]}</Tag>;
}

/** Says that a flow or a version was deleted. `running`: how many of its flow runs have not ended. */
export function DeletedTag({ running }: { running?: number | undefined }) {
  return <Tag tone="warn">{useFlowsTexts().deleted(running)}</Tag>;
}
