import { findKeyword } from '../../../domain/confirmations/replies';

test.each([
  // The default keywords of Twilio.
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  // The same words as persons write them.
  ...['stop.', 'Stop all', 'OPT-OUT', ' opt out ', 'Remove'],
  // Portuguese, Spanish and Canadian French.
  ...['SAIR', 'Pare', 'PARAR', 'Cancelar', 'remover', 'BAJA', 'Alto', 'SALIR', 'Dar de baja', 'ARRÊT'],
])('the text "%s" opts out of messages', (text) => {
  expect(findKeyword(text)).toBe('optOut');
});

test.each(['START', 'Unstop', 'voltar', 'VOLVER', 'Alta!'])('the text "%s" opts in to messages', (text) => {
  expect(findKeyword(text)).toBe('optIn');
});

test.each(['HELP', 'Info', 'ajuda', 'AYUDA'])('the text "%s" asks for help', (text) => {
  expect(findKeyword(text)).toBe('help');
});

test.each(['YES', 'sim', '1', 'NO', 'please stop', 'stop it', 'não pare', '', `stop${' '.repeat(200)}`])(
  'the text "%s" is no keyword',
  (text) => {
    expect(findKeyword(text)).toBeUndefined();
  },
);
