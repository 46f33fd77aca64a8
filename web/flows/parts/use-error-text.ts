import { ApiProblem } from '../../app/call-api';
import { Unreachable } from '../../app/request';
import { useFlowsTexts } from '../flows-texts';

/** Returns a function that explains why a change failed. The function throws any unexpected error, because such an error is a bug. */
export function useErrorText(): (error: unknown) => string {
  const { edit, writeScopeHint } = useFlowsTexts();
  return (error) => {
    if (error instanceof Unreachable) return edit.unreachable;
    if (!(error instanceof ApiProblem)) throw error;
    if (error.code === 'signed_out') return edit.signedOut;
    if (error.code === 'insufficient_scope') return writeScopeHint;
    const { title = '', detail = '' } = error.fields;
    return edit.failed(title, detail);
  };
}
