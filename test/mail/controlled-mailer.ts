import { type Mail, Mailer } from '../../src/kernel/mailer';

/** A mailer whose attempts end as the test says. */
export class ControlledMailer extends Mailer {
  readonly canSend = true;
  readonly posted: Mail[] = [];
  underWay = 0;
  mostUnderWay = 0;

  constructor(public attempt: (mail: Mail) => void | Promise<void> = () => undefined) {
    super();
  }

  async post(mail: Mail): Promise<void> {
    this.posted.push(mail);
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    try {
      await this.attempt(mail);
    } finally {
      this.underWay--;
    }
  }

  /** Attempts for a recipient, oldest first. */
  to(address: string): Mail[] {
    return this.posted.filter(({ to }) => to === address);
  }
}
