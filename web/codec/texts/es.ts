import type { CodecTexts } from './texts';

export const es: CodecTexts = {
  tab: 'Temporal UI',
  signIn: {
    heading: 'Inicie sesión para leer transacciones en la Temporal UI',
    lead: 'Use su propio cliente con el alcance operator:decode, porque el registro de auditoría guarda su id por cada transacción que usted lee.',
    end: 'La sesión dura una hora, o hasta que vuelva a abrir esta página.',
  },
  scopeHint: 'La Temporal UI necesita el alcance operator:decode. Inicie sesión con un cliente que lo tenga.',
  signedIn: 'Sesión iniciada',
  effect: (minutes) =>
    `Durante ${minutes} minutos, la Temporal UI de este navegador muestra en texto claro lo que almacena.`,
  openUi: 'Abrir la Temporal UI',
  reloadUi: 'Si ya está abierta, vuelva a cargarla.',
};
