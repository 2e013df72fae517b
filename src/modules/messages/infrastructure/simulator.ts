import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { type OutgoingMessage, SandboxChannel, type SendOutcome } from '../application/message-channel';
import { outcomeOf, SAMPLE_TEMPLATES } from '../domain/magic-numbers';
import type { Template } from '../domain/template';

const DAY_MS = 24 * 3600 * 1000;

/** The channel of test mode. The outcome depends on the number alone, and nothing is delivered. */
@Injectable()
export class Simulator extends SandboxChannel {
  readonly name = 'simulator';

  isConnected(): Promise<boolean> {
    return Promise.resolve(true);
  }

  takesText(phone: string | null, lastReceivedAt: Date | undefined, now: Date): boolean {
    if (!outcomeOf(phone).isClosed) return true;
    return lastReceivedAt !== undefined && now.getTime() - lastReceivedAt.getTime() < DAY_MS;
  }

  templates(): Promise<readonly Template[]> {
    return Promise.resolve(SAMPLE_TEMPLATES);
  }

  async send(
    _: WorkspaceRef,
    { id, phone }: OutgoingMessage,
    depart: () => Promise<void>,
  ): Promise<SendOutcome> {
    await depart();
    const { error, isLost } = outcomeOf(phone);
    if (error) return { kind: 'refused', error };
    return isLost ? { kind: 'ambiguous' } : { kind: 'sent', providerId: `sim.${id}`, contact: null };
  }
}
