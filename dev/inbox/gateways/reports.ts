import type { GatewayName, Message } from '../message';

/** The status of a message in the words of Infobip. Its groups: www.infobip.com/docs/essentials/api-essentials/response-status-and-error-codes. */
export const infobipStatus = ({ status }: Pick<Message, 'status'>) => {
  if (status === 'delivered') return { groupId: 3, groupName: 'DELIVERED', id: 5, name: 'DELIVERED_TO_HANDSET' };
  if (status === 'undelivered')
    return { groupId: 2, groupName: 'UNDELIVERABLE', id: 9, name: 'UNDELIVERABLE_NOT_DELIVERED' };
  return { groupId: 1, groupName: 'PENDING', id: 26, name: 'PENDING_ACCEPTED' };
};

/** The report about a message. */
const infobipReport = (message: Message): object => ({
  results: [
    {
      messageId: message.reference,
      to: message.to.slice(1),
      status: infobipStatus(message),
      error:
        message.errorCode === undefined
          ? { id: 0, name: 'NO_ERROR' }
          : { id: message.errorCode, name: 'EC_ABSENT_SUBSCRIBER' },
    },
  ],
});

/** The delivery receipt of a message. */
const vonageReport = (message: Message): object => ({
  msisdn: message.to.slice(1),
  to: message.from,
  messageId: message.id,
  status: message.status === 'delivered' ? 'delivered' : 'failed',
  'err-code': message.errorCode === undefined ? '0' : '1',
  'client-ref': message.reference,
});

const reports: Record<GatewayName, (message: Message) => object> = { infobip: infobipReport, vonage: vonageReport };

/** The report that a gateway posts when the message has arrived, or cannot arrive. Undefined before that. */
export const gatewayReportOf = (gateway: GatewayName, message: Message): object | undefined =>
  message.status === 'delivered' || message.status === 'undelivered' ? reports[gateway](message) : undefined;
