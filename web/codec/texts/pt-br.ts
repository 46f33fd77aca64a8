import type { CodecTexts } from './texts';

export const ptBr: CodecTexts = {
  tab: 'Temporal UI',
  signIn: {
    heading: 'Entre para ler transações na Temporal UI',
    lead: 'Use o seu próprio cliente com o escopo operator:decode, porque o registro de auditoria guarda o id dele para cada transação que você lê.',
    end: 'O seu acesso dura uma hora, ou até você abrir esta página de novo.',
  },
  scopeHint: 'A Temporal UI precisa do escopo operator:decode. Entre com um cliente que tenha esse escopo.',
  signedIn: 'Acesso aberto',
  effect: (minutes) =>
    `Por ${minutes} minutos, a Temporal UI neste navegador mostra em texto claro o que ela armazena.`,
  openUi: 'Abrir a Temporal UI',
  reloadUi: 'Se ela já estiver aberta, recarregue a página dela.',
};
