import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Section } from '../../../platform/pages/components/section';
import { TextArea } from '../../../platform/pages/components/text-area';
import { type LeadPanel, leadPath, type PanelRequest } from '../../leads';
import { refOf } from '../../shell';
import { SendMessage } from '../application/send-message';

/** Sends a message on a lead's page or, when none can be sent, says why. */
@Injectable()
export class MessagePanel implements LeadPanel {
  readonly name = 'message';
  readonly place = 'middle';
  readonly position = 10;

  constructor(private readonly sendMessage: SendMessage) {}

  async content({ area, lead, form }: PanelRequest) {
    if (lead.archivedAt && !form.isFaulty) return null;
    const obstacle = await this.obstacle(() => this.sendMessage.requireTextSendable(refOf(area), lead));
    return (
      <Section title="Message">
        {obstacle && <p class="quiet">No message can be sent now: {obstacle}.</p>}
        {(!obstacle || form.value('message')) && (
          <Form action={`${leadPath(area, lead.id)}/messages`} id="message">
            <TextArea form={form} name="message" label="Message" rows={3} required />
            <Button>Send</Button>
          </Form>
        )}
      </Section>
    );
  }

  private async obstacle(check: () => Promise<void>): Promise<string | undefined> {
    try {
      await check();
      return undefined;
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      const { field, message } = error.details[0]!;
      return field === 'text' ? `free text ${message}` : message;
    }
  }
}
