import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { ChatContact } from '../domain/chat-identity';
import { Contacts } from './contacts';

/** Ties a user id to a lead when the channel shows it together with the lead's number. */
@Injectable()
export class LearnContact {
  constructor(
    private readonly contacts: Contacts,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Stores nothing about people who are no lead. */
  async execute(ref: WorkspaceRef, contact: ChatContact): Promise<void> {
    if (await this.contacts.isKnown(ref, contact)) return;
    await this.unitOfWork.run(async () => {
      const person = await this.contacts.ofSender(ref, contact);
      if (person.lead) await this.contacts.linkUser(ref, person, person.lead.id);
    });
  }
}
