import { useEffect, useState } from 'preact/hooks';
import { callApi } from '../../app/call-api';
import type { FlowCheck } from '../data';

/** Long enough to type a word, short enough to feel immediate. */
const pauseMs = 400;

export interface Checked {
  /** The text that was checked. */
  text: string;
  /** Absent if the service did not answer. */
  result?: FlowCheck;
}

/** Checks a text by the rules of the service, after each pause in typing. Returns the newest result; it may be of an earlier text. */
export function useCheck(name: string, text: string): Checked | undefined {
  const [checked, setChecked] = useState<Checked>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const check = async () => {
      const result = await callApi('post', '/v1/flows/{name}/check', {
        // Another name is an issue of the text, but the path must have one.
        ...{ path: { name: name || 'new-flow' }, body: { text }, signal },
      }).catch(() => undefined);
      if (!signal.aborted) setChecked({ text, ...(result ? { result } : {}) });
    };
    const timer = setTimeout(() => void check(), checked === undefined ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, text]);
  return checked;
}
