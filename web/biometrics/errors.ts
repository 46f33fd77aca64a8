import type { ClosedReason } from './texts/texts';

/** This browser cannot use the link, or cannot use it any more. */
export class LinkClosedError extends Error {
  /** `status`: the status of the link, if the API reported one. `moved`: the person continued on another device. */
  constructor(
    readonly reason: ClosedReason,
    readonly details: { status?: string | undefined; moved?: true } = {},
  ) {
    super(`closed: ${reason}`);
  }
}

/** The reason for each status of a link. Other statuses have the reason `used`. */
const reasonByStatus: Readonly<Record<string, ClosedReason>> = {
  Expired: 'expired',
  Abandoned: 'expired',
  Canceled: 'canceled',
};

/** Returns the error for a closed link, by the status and the reason that the API reports. */
export function toLinkClosedError(status = '', reason = ''): LinkClosedError {
  // `erased`: the images were erased. `ended`: the flow run was canceled. Both have the status `Canceled`, but each has its own text.
  const hasOwnText = reason === 'erased' || reason === 'ended';
  return new LinkClosedError(hasOwnText ? reason : (reasonByStatus[status] ?? 'used'), { status });
}

/** The request failed, but the same request may succeed later. The service may or may not have executed the request. */
export class RequestInterrupted extends Error {}
