import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { ChatContact } from '../domain/chat-identity';
import { Contacts } from './contacts';

/** Ties the user id of someone whom the channel has shown by both number and id to the lead with that number. */
@Injectable()
export class LearnContact {
  constructor(
    private readonly contacts: Contacts,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Of people who are no lead nothing is kept until they write. */
  async execute(ref: WorkspaceRef, contact: ChatContact): Promise<void> {
    if (await this.contacts.isKnown(ref, contact)) return;
    await this.unitOfWork.run(async () => {
      const person = await this.contacts.ofSender(ref, contact);
      if (person.lead) await this.contacts.tie(ref, person, person.lead.id);
    });
  }
}
