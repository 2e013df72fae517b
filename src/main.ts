import './platform/one-copy';
import './platform/tracing/start';
import { exitWithMessage } from './service/exit-with-message';
import { loadComposition } from './service/load-composition';
import { startService } from './service/start-service';

loadComposition().then(startService).catch(exitWithMessage);
