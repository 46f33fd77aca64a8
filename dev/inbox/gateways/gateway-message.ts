import type { Request, Response } from 'express';
import { type AcceptDependencies, acceptAsPlanned } from '../accept-as-planned';
import { type GatewayName, type Message, newSid } from '../message';

export interface GatewayDependencies extends AcceptDependencies {
  authToken: string;
}

/** The error code of a message to an unreachable phone. */
const unreachableCode = 1;

/** A message that a gateway has accepted. `to`: digits. `reference`: the id that the sender gave to it. */
export function newGatewayMessage(
  gateway: GatewayName,
  { to, ...fields }: Pick<Message, 'to' | 'from' | 'text' | 'reference' | 'statusCallback'>,
): Message {
  const now = new Date().toISOString();
  return {
    ...{ id: newSid('SM'), channel: 'sms', direction: 'outbound', gateway, to: `+${to}`, ...fields },
    ...{ status: 'queued', createdAt: now, updatedAt: now },
  };
}

/** Accepts a message and answers with `body`, or fails as planned. */
export const answerAsPlanned = (
  dependencies: GatewayDependencies,
  request: Request,
  response: Response,
  message: Message,
  body: () => object,
): void =>
  acceptAsPlanned(dependencies, request, message, {
    accept: () => void response.json(body()),
    refuse: ({ status = 500 }) => void response.status(status).json({}),
    unreachableCode,
  });
