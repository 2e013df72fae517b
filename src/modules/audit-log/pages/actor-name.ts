import type { RecordedActor } from '../application/audit-log-queries';

const NAMES: Record<RecordedActor['type'], (name: string) => string> = {
  user: (name) => name,
  api_key: (name) => `API key ${name}`,
  oauth: (name) => `App ${name}`,
  operator: () => 'Server administrator',
};

/** An actor as pages name them. */
export function actorName({ type, name }: RecordedActor): string {
  return NAMES[type](name);
}
