import asyncio
import os

import pytest
from adaption import AsyncAdaption, NotFoundError

from conftest import BASE_URL, MAPPING, pairs


def test_the_async_client_goes_the_whole_way_with_its_default_retries(tmp_path) -> None:
    path = tmp_path / "async.csv"
    path.write_text(pairs(2))

    async def go() -> None:
        async with AsyncAdaption(
            base_url=BASE_URL, api_key=os.environ["ADAPTION_API_KEY"], _strict_response_validation=True
        ) as client:
            dataset_id = (await client.datasets.upload_file(path, name="async")).dataset_id
            while (await client.datasets.get_status(dataset_id)).row_count is None:
                await asyncio.sleep(0.2)
            await client.datasets.adapt(dataset_id, column_mapping=MAPPING)
            done = await client.datasets.wait_for_completion(dataset_id, initial_interval=0.3, max_interval=1)
            assert done.status == "succeeded"
            evaluation = await client.datasets.wait_for_evaluation(dataset_id, initial_interval=0.2)
            assert evaluation.status == "succeeded"
            content = await (await client.datasets.download(dataset_id, file_format="jsonl")).read()
            assert len(content.decode().splitlines()) == 2
            assert [item.dataset_id async for item in client.datasets.list(q="async", limit=1)][0] == dataset_id
            await client.datasets.delete(dataset_id)
            with pytest.raises(NotFoundError):
                await client.datasets.get(dataset_id)

    asyncio.run(go())
