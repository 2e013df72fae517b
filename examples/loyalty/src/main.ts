import { exitWithMessage, startService } from 'gala';
import { loyalty, overrides } from './loyalty';

startService({ extensions: [loyalty], overrides }).catch(exitWithMessage);
