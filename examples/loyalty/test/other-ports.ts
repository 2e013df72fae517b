import {
  type Mail,
  Mailer,
  MessageChannel,
  type OutgoingMessage,
  type Override,
  PostgresUnitOfWork,
  RateLimiter,
  type RateState,
  type SendOutcome,
  UnitOfWork,
  type WorkspaceRef,
} from 'gala';

/** What was done by the ports below. */
export const seen = { transactions: 0, mails: [] as Mail[], messages: [] as OutgoingMessage[] };

class KeepingMailer extends Mailer {
  readonly canSend = true;

  post(mail: Mail): void {
    seen.mails.push(mail);
  }
}

class LimitOf7 extends RateLimiter {
  consume(): Promise<RateState> {
    return Promise.resolve({ limit: 7, remaining: 6, reset: 1_900_000_000, retryAfter: 60, exceeded: false });
  }

  giveBack(): Promise<void> {
    return Promise.resolve();
  }
}

class Chat extends MessageChannel {
  readonly name = 'whatsapp';
  isConnected = () => Promise.resolve(true);
  takesText = () => true;
  templates = () => Promise.resolve([]);

  async send(_: WorkspaceRef, message: OutgoingMessage, depart: () => Promise<void>): Promise<SendOutcome> {
    await depart();
    seen.messages.push(message);
    return { kind: 'sent', providerId: message.id, contact: null };
  }
}

function countingUnitOfWork(postgres: PostgresUnitOfWork): UnitOfWork {
  return {
    run(work) {
      seen.transactions++;
      return postgres.run(work);
    },
    afterCommit: (work) => postgres.afterCommit(work),
  };
}

/** Every port but the clock, each with an implementation that shows whether it is asked. */
export const otherPorts: Override[] = [
  { provide: Mailer, useClass: KeepingMailer },
  { provide: MessageChannel, useClass: Chat },
  { provide: RateLimiter, useClass: LimitOf7 },
  { provide: UnitOfWork, useFactory: countingUnitOfWork, inject: [PostgresUnitOfWork] },
];
