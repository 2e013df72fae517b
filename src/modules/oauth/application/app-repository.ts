import type { AppId } from '../../../kernel/ids';
import type { App } from '../domain/app';

/** The apps that the operator has registered. Deleted apps are never returned. */
export abstract class AppRepository {
  abstract add(app: App): Promise<void>;
  abstract find(id: AppId): Promise<App | undefined>;
  /** Reads an app and locks it until the unit of work ends. */
  abstract lock(id: AppId): Promise<App | undefined>;
  abstract save(app: App): Promise<void>;
  /** Oldest first. */
  abstract list(): Promise<App[]>;
  abstract delete(id: AppId, now: Date): Promise<void>;
}
