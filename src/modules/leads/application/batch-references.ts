import type { UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Members } from '../../workspaces';
import type { LeadFields } from '../domain/lead';
import type { Pipeline } from '../domain/pipeline';
import type { PipelineStage } from '../domain/pipeline-stage';
import { isBuiltIn } from '../domain/stage';
import type { Turns } from '../domain/turns';
import { type LeadOwners, noMember } from './lead-owners';
import type { PipelineRepository } from './pipeline-repository';
import type { StageEntry } from './stage-entry';

type References = Pick<Partial<LeadFields>, 'stage' | 'lostReasonId' | 'ownerId'>;

/** Reads and locks the stages, lost reasons and owners of a batch of leads, each of them once. */
export class BatchReferences {
  private readonly known = new Map<string, Promise<unknown>>();

  constructor(
    private readonly ref: WorkspaceRef,
    private readonly ports: {
      readonly owners: LeadOwners;
      readonly members: Members;
      readonly pipelines: PipelineRepository;
      readonly entry: StageEntry;
    },
  ) {}

  /**
   * Locks what leads refer to, in the order in which every transaction does. What can't be referred to is refused later, for
   * each lead.
   *
   * @param assigns whether any of them may be given to the member whose turn it is
   */
  async lock(leads: readonly References[], assigns: boolean): Promise<void> {
    const distinct = <Name extends keyof References>(name: Name) => {
      const values = leads.map((lead) => lead[name]).filter((value) => (value ?? null) !== null);
      return [...new Set(values)].sort() as NonNullable<References[Name]>[];
    };
    for (const lostReasonId of distinct('lostReasonId')) await settled(this.enter({ lostReasonId }));
    for (const stage of distinct('stage')) await settled(this.enter({ stage }));
    if (assigns) await this.turns();
    for (const ownerId of distinct('ownerId')) await settled(this.hold(ownerId));
  }

  /** The same as `StageEntry.enter`. */
  async enter({ stage, lostReasonId }: References): Promise<PipelineStage | undefined> {
    const { entry } = this.ports;
    if (lostReasonId) await this.once(lostReasonId, () => entry.enter(this.ref, { lostReasonId }));
    if (stage === undefined || isBuiltIn(stage)) return undefined;
    return this.once(`stage ${stage}`, () => entry.enter(this.ref, { stage }));
  }

  /** @throws ValidationFailed unless it is a member who stays */
  async hold(owner: UserId): Promise<void> {
    if (!(await this.once(owner, () => this.ports.members.hold(this.ref.workspaceId, owner))))
      throw noMember();
  }

  /** Undefined if new leads aren't assigned. */
  turns(): Promise<Turns | undefined> {
    const { owners } = this.ports;
    return this.once('turns', async () =>
      (await owners.assigns(this.ref)) ? owners.lockTurns(this.ref) : undefined,
    );
  }

  /** Undefined if no lead may have been given to anyone. */
  async takenTurns(): Promise<Turns | undefined> {
    return this.known.has('turns') ? this.turns() : undefined;
  }

  pipeline(): Promise<Pipeline> {
    return this.once('pipeline', () => this.ports.pipelines.find(this.ref));
  }

  /** Locks that were taken in a part of the unit of work end with that part. */
  forget(): void {
    for (const key of this.known.keys()) if (key !== 'turns') this.known.delete(key);
  }

  private once<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const known = this.known.get(key) ?? read();
    this.known.set(key, known);
    return known as Promise<Result>;
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}
