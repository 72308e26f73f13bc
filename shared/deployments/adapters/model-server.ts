import { connectOpenAiHttp, type OpenAiOptions } from '#shared/models/adapters/openai-connection.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import { DeploymentRefused, type TrainedModelServer } from '../decide/ports.ts';

/** The model server of `npm run local`, which takes adapters while it runs. */
export function createModelServer(options: OpenAiOptions): TrainedModelServer {
  const connection = connectOpenAiHttp(options);
  return {
    async put(model, experimentId, url) {
      const body = JSON.stringify({ model, name: experimentId, url });
      try {
        await connection.send('POST', '/adapters', { type: 'application/json', body }, (response) =>
          response.body.dump(),
        );
      } catch (error) {
        const isRefused = error instanceof ModelError && ['rejected', 'misconfigured'].includes(error.kind);
        if (!isRefused) throw error;
        throw new DeploymentRefused(
          `The model server does not serve adapters of ${model}. Download the model, and serve it elsewhere.`,
          { cause: error },
        );
      }
    },

    async remove(experimentId) {
      await connection.send('DELETE', `/adapters/${encodeURIComponent(experimentId)}`, null, (response) =>
        response.body.dump(),
      );
    },
  };
}
