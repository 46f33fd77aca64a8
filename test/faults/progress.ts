export interface Progress {
  name: string;
  /** Done and all. */
  flows: readonly [number, number];
  kills: readonly [number, number];
}

export type OnProgress = (progress: Progress) => void;

const barWidth = 30;
const nameWidth = 20;
/** In a log, a line each is enough to see that it lives. */
const logEveryMs = 5_000;

/** Shows how far a run is: a bar that moves on a terminal, a line now and then in a log. */
export function showProgress(output: NodeJS.WriteStream): OnProgress {
  const begun = Date.now();
  let shownAtMs = 0;
  let shownName = '';
  return ({ name, flows: [flows, allFlows], kills: [kills, allKills] }) => {
    const over = flows === allFlows && kills === allKills;
    const seconds = Math.round((Date.now() - begun) / 1_000);
    const counts = `${flows}/${allFlows} flows, ${kills}/${allKills} kills, ${seconds} s`;
    if (output.isTTY) {
      const filled = Math.round((barWidth * flows) / Math.max(1, allFlows));
      const bar = '█'.repeat(filled).padEnd(barWidth, '░');
      output.write(`\r${name.padEnd(nameWidth)} ${bar} ${counts} ${over ? '\n' : ''}`);
    } else if (over || name !== shownName || Date.now() - shownAtMs > logEveryMs) {
      output.write(`${name.padEnd(nameWidth)} ${counts}\n`);
      shownAtMs = Date.now();
      shownName = name;
    }
  };
}
