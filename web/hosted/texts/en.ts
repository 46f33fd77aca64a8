import type { HostedTexts } from './texts';

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
const attempts = (left: number) => `You have ${count(left, 'attempt')} left.`;

export const en: HostedTexts = {
  title: 'Confirmation',
  question: (brand) => `Did you request a code from ${brand} for this e-mail address?`,
  hint: 'Confirm only if you requested it.',
  yes: 'Yes, it was me',
  no: 'It was not me',
  deny: {
    question: (brand) => `Did somebody else request this code from ${brand}?`,
    hint: 'Tell us here, even if the code was already used. If you requested it, close this page.',
  },
  superseded: {
    heading: 'There is a newer message',
    text: 'Only the last message that you received is valid. If you did not request it, tell us here.',
  },
  code: {
    heading: 'Enter the code',
    lead: {
      sms: (brand, to) => `${brand} sent a code by SMS to your phone ${to}.`,
      whatsapp: (brand, to) => `${brand} sent a code to your WhatsApp ${to}.`,
      voice: (brand, to) => `${brand} calls your phone ${to} and says a code.`,
      email: (brand, to) => `${brand} sent a code to your e-mail address ${to}.`,
    },
    validFor: (minutes) => `It is valid for ${count(minutes, 'more minute')}.`,
    label: 'Code',
    submit: 'Confirm',
    errorTitle: 'Error',
    invalid: (left) => `This code is wrong. ${attempts(left)}`,
    superseded: (left) => `This code is from an earlier message. Enter the newest code. ${attempts(left)}`,
    noCode: 'Enter the code from the message. It has only digits.',
  },
  another: {
    again: 'Send the message again',
    newCode: 'Send a new code',
    in: (seconds) => `in ${seconds} s`,
    sent: 'We have sent the message.',
    tooSoon: (seconds) => `We sent a message a moment ago. You can request another one in ${count(seconds, 'second')}.`,
    limit: 'We cannot send more messages for this request.',
    refused: 'We could not send the message to this destination.',
    notSent: 'We could not send the message now. Please try again later.',
  },
  results: {
    confirmed: { heading: 'Confirmed', text: 'Thank you. You can close this page now.' },
    denied: {
      heading: 'Thank you for telling us',
      text: 'We have recorded that it was not you. Nobody can use this request any more.',
    },
    noted: {
      heading: 'We have recorded your answer',
      text: (reply) => `You answered “${reply}”, and this request is closed. You can close this page now.`,
    },
    blocked: { heading: 'Too many wrong codes', text: 'This code does not work any more. Request a new one.' },
    expired: { heading: 'This request has expired', text: 'If you still need it, please request a new one.' },
    closed: { heading: 'This request is closed', text: 'It was already used, or a newer one has replaced it.' },
    unknown: { heading: 'Unknown link', text: 'This link does not work any more, or is not complete.' },
    unavailable: {
      heading: 'Please try again in a moment',
      text: 'We could not save your answer. The link still works.',
    },
  },
  back: (host) => `Back to ${host}`,
};
