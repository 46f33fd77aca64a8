import { TextWithCode } from '../../kit/content';
import type { LocatedIssue } from '../data';
import { useFlowsTexts } from '../flows-texts';

interface IssueListProps {
  issues: readonly LocatedIssue[];
  onGoTo: (issue: LocatedIssue) => void;
}

/** The issues of a text: what is wrong, where, and what to do. A click on the place of an issue moves the cursor to it. */
export function IssueList({ issues, onGoTo }: IssueListProps) {
  const { edit } = useFlowsTexts();
  if (issues.length === 0) return null;
  return (
    <ul class="issues">
      {issues.map((issue) => (
        <li>
          <button type="button" class="link" onClick={() => onGoTo(issue)}>
            {edit.issueAt(issue.line, issue.column)}
          </button>
          {issue.path && (
            <>
              {' '}
              <code>{issue.path}</code>
            </>
          )}
          <p>
            <TextWithCode text={issue.message} />
          </p>
          <p class="soft">
            <TextWithCode text={issue.fix} />
          </p>
        </li>
      ))}
    </ul>
  );
}
