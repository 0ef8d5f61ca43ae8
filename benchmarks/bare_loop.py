"""The baseline of the engine's figures: calls of `litellm.acompletion` and nothing around them."""

import asyncio
import os

from benchmarks.contestant import Load, serve


async def _main() -> None:
    # As far as that LiteLLM fetches nothing and reads no .env file; all else is as it comes.
    os.environ.update(
        {
            "LITELLM_MODE": "PRODUCTION",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "LITELLM_OFFLINE_MODE": "true",
            "NO_PROXY": "127.0.0.1",
        }
    )
    import litellm

    litellm.suppress_debug_info = True

    async def call(load: Load, number: int) -> None:
        request = {
            "model": "openai/bench",
            "messages": [{"role": "user", "content": f"Call {number}. " + "Some words of a question. " * 40}],
            "api_base": f"{load.address}/v1",
            "api_key": "none",
            "num_retries": 0,
            "max_retries": 0,
        }
        if load.stream:
            stream = await litellm.acompletion(stream=True, stream_options={"include_usage": True}, **request)
            text = "".join([chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices])
        else:
            text = (await litellm.acompletion(**request)).choices[0].message.content
        assert text.startswith("#")

    async def do(load: Load) -> None:
        numbers = iter(range(load.calls))

        async def one_after_the_other() -> None:
            for number in numbers:
                await call(load, number)

        await asyncio.gather(*(one_after_the_other() for _ in range(load.at_once)))

    await serve(do)


if __name__ == "__main__":
    asyncio.run(_main())
