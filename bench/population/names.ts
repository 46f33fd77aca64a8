import type { Random } from './random';

// Both lists start with the most common names in Brazil.
const givenNames =
  `Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Francisca Daniel Marcelo
  Bruno Eduardo Felipe Antônia Adriana Juliana Márcia Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica Letícia
  Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana Sônia Renata Eliane Josefa
  Simone Natália Cristiane Carla Débora Rosângela Jaqueline Rosa Daniela Aparecida Marlene Terezinha Raimunda`.split(
    /\s+/,
  );
const familyNames =
  `Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes
  Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso
  Ramos Gonçalves Santana Teixeira Araújo Pinto Cavalcanti Moraes Monteiro Batista Campos Barros Correia Castro Azevedo
  Melo Borges Cunha Reis Duarte Moura Farias Bezerra Peixoto Tavares Sales Guimarães Prado Quintela Medeiros`.split(
    /\s+/,
  );

/** The steepness for `skewedIndex`. A few names are very common, and many names are rare. */
const steepness = 0.7;

const pick = (random: Random, list: readonly string[]) => list[random.skewedIndex(list.length, steepness)] ?? '';

/** A family name of one or two words. */
export function pickFamilyName(random: Random): string {
  const first = pick(random, familyNames);
  return random.chance(0.6) ? `${first} ${pick(random, familyNames)}` : first;
}

export const pickGivenName = (random: Random): string => pick(random, givenNames);
