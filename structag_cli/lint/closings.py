"""What ends a raw string in each argument style."""

CLOSINGS = {
    "qwen_xml": "</parameter>",
    "minimax_xml": "</parameter>",
    "deepseek_xml": "</｜DSML｜parameter>",
    "deepseek_v4_1_xml": "</｜DSML｜ parameter>",
    "glm_xml": "</arg_value>",
    "cohere_xml": "</cofl:value>",
    "kimi_k3_xml": "<|close|>argument<|sep|>",
    "gemma": '<|"|>',
}
