import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { type Biometrics, isOpenLink } from '../domain/biometrics/biometrics';
import { type Changed, takeStep } from '../domain/biometrics/capture';
import { type BiometricsProposal, currentLink, expireLink, startBiometrics } from '../domain/biometrics/link';
import { decide } from '../domain/biometrics/review';
import type { BiometricsDecision, BiometricsStep } from './contract';
import { type Life, now } from './life';
import { refusal } from './refusal';

/** The biometrics links of one transaction: what handlers do, and the timer that closes an unfinished one. */
export class BiometricsLinks {
  #timer: { id: string; scope: CancellationScope } | undefined;
  #closing = 0;

  constructor(private readonly life: Life) {}

  /** Whether something is under way that the workflow may not leave behind. */
  get busy(): boolean {
    return this.#closing > 0;
  }

  /** Takes up the timer of a state that was carried over. */
  resume(): void {
    this.#watchExpiry();
  }

  checkRequest(proposal: BiometricsProposal): void {
    const started = startBiometrics(this.life.state, proposal, now());
    if ('refused' in started) throw refusal(started.refused);
  }

  /** Makes a link; an open one is canceled by it. */
  async request(proposal: BiometricsProposal): Promise<Biometrics> {
    const started = startBiometrics(this.life.state, proposal, now());
    if ('refused' in started) throw refusal(started.refused);
    this.life.change(started.state);
    this.#watchExpiry();
    await this.life.save();
    return started.biometrics;
  }

  checkStep(asked: BiometricsStep): void {
    const taken = this.#taken(asked);
    if ('refused' in taken) throw refusal(taken.refused);
  }

  /** Takes one step of the person on the page. */
  async step(asked: BiometricsStep): Promise<Biometrics> {
    const taken = this.#taken(asked);
    if ('refused' in taken) throw refusal(taken.refused);
    if (taken.state !== this.life.state) this.life.change(taken.state);
    this.#closeIfOver();
    await this.life.save();
    return taken.biometrics;
  }

  #taken({ biometricsId, owner, ...step }: BiometricsStep): Changed {
    return takeStep(this.life.state, biometricsId, step, owner, now());
  }

  checkDecision(decided: BiometricsDecision): void {
    const made = this.#decided(decided);
    if ('refused' in made) throw refusal(made.refused);
  }

  /** Takes the decision on the images, and appends its score. */
  async decide(decided: BiometricsDecision): Promise<Biometrics> {
    const made = this.#decided(decided);
    if ('refused' in made) throw refusal(made.refused);
    this.life.change(made.state);
    await this.life.save();
    return made.biometrics;
  }

  #decided({ biometricsId, status, by, reason }: BiometricsDecision) {
    return decide(this.life.state, biometricsId, { status, by, reason, at: now() });
  }

  #watchExpiry(): void {
    const link = currentLink(this.life.state);
    this.#closeIfOver();
    if (!link || !isOpenLink(link) || this.#timer) return;
    const scope = new CancellationScope();
    this.#timer = { id: link.id, scope };
    void scope
      .run(() => this.#expire(link.expiresAt))
      .catch((error: unknown) => {
        if (!isCancellation(error)) throw error;
      });
  }

  async #expire(expiresAt: string): Promise<void> {
    // Clocks of two servers may differ by a little: what is not due yet is waited for again.
    while (now() < expiresAt)
      await sleep(Math.max(1, Date.parse(expiresAt) - Date.now()), { summary: 'the biometrics link expires' });
    this.#closing += 1;
    try {
      this.life.change(expireLink(this.life.state, now()));
      await CancellationScope.nonCancellable(() => this.life.save());
    } finally {
      this.#closing -= 1;
    }
  }

  /** Ends the timer of a link that is closed, or that another took the place of. */
  #closeIfOver(): void {
    const link = currentLink(this.life.state);
    if (!this.#timer || (link?.id === this.#timer.id && isOpenLink(link))) return;
    this.#timer.scope.cancel();
    this.#timer = undefined;
  }
}
