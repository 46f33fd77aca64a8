import type { Language } from '../../domain/transactions/input';

/** What the person does while the caller asks: a built-in question says it. */
export const purposes = ['sign-up', 'sign-in', 'payment', 'contract', 'change-of-data'] as const;

export type Purpose = (typeof purposes)[number];

/** The purpose of a question whose caller names none. */
export const defaultPurpose: Purpose = 'sign-up';

/** The name of the template of a question with a purpose, such as sms-2fa-payment. */
export const templateNameOf = (name: string, purpose: Purpose): string =>
  purpose === defaultPurpose ? name : `${name}-${purpose}`;

/** What the person is doing, after "Are you", "Você está" and "¿Está". */
export const doing: Readonly<Record<Purpose, Record<Language, string>>> = {
  'sign-up': { 'pt-BR': 'fazendo um cadastro', en: 'signing up', es: 'haciendo un registro' },
  'sign-in': { 'pt-BR': 'entrando na sua conta', en: 'signing in to your account', es: 'entrando en su cuenta' },
  payment: { 'pt-BR': 'fazendo um pagamento', en: 'making a payment', es: 'haciendo un pago' },
  contract: { 'pt-BR': 'assinando um contrato', en: 'signing a contract', es: 'firmando un contrato' },
  'change-of-data': { 'pt-BR': 'mudando os seus dados', en: 'changing your data', es: 'cambiando sus datos' },
};
