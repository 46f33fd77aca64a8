import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, callApi } from '../../app/call-api';
import { currentLanguage } from '../../app/language';
import { useStore } from '../../app/store';
import type { FlowCheck } from '../data';

/** The pause in typing after which a check starts: long enough to finish a word, and short enough to feel immediate. */
const pauseMs = 400;

/** A text with the result of its check. */
export interface Checked {
  /** The text that was checked. */
  text: string;
  /** Absent if the service did not answer. */
  result?: FlowCheck;
}

async function check(name: string, text: string, signal: AbortSignal): Promise<FlowCheck> {
  try {
    return await callApi('post', '/v1/flows/{name}/check', { path: { name }, body: { text }, signal });
  } catch (error) {
    // The access token was invalid, and the user has signed in again. So the call can be repeated.
    if (error instanceof ApiProblem && error.code === 'signed_out') return check(name, text, signal);
    throw error;
  }
}

/**
 * Lets the service check the text of a flow, after each pause in typing. Returns the newest result. If the user has typed after the last
 * check, this result is for an earlier text.
 */
export function useCheck(name: string, text: string): Checked | undefined {
  const [checked, setChecked] = useState<Checked>();
  // The diagram of the result is in this language.
  const language = useStore(currentLanguage);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const update = async () => {
      // The URL needs a name, even before the user has typed a name for a new flow.
      const result = await check(name || 'new-flow', text, signal).catch(() => undefined);
      if (!signal.aborted) setChecked({ text, ...(result ? { result } : {}) });
    };
    const timer = setTimeout(() => void update(), checked === undefined ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, text, language]);
  return checked;
}
