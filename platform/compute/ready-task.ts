/** Does nothing. It ends when a thread of the compute pool has started and is free. */
export default function ready(): void {}
