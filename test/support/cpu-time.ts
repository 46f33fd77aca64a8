/**
 * The CPU time that this process has used, in milliseconds. Use it to limit how long a computation takes: unlike the time of a clock, it
 * does not grow while other programs use the CPU.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
